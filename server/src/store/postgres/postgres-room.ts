/**
 * Sorts a megabyte with the least memory a server can have, so that it writes a temporary file beside the tables: a full disk
 * still accepts changes of rows for which a page has room, and a table keeps the pages that were ever added to it. Needs no
 * lock that a backup holds, and leaves nothing behind.
 */
export const roomText = `do $$
  begin
    perform set_config('work_mem', '64kB', true);
    perform count(padded) from (
      select repeat('x', 1000) || number as padded from generate_series(1, 1000) as number order by number desc offset 0
    ) as sorted;
  end $$`
