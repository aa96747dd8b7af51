/**
 * How a reader calls this command again. An installed package has it on the path; in a clone npx finds it, and must not
 * install a stranger's package of the same name elsewhere.
 */
export const ownCommand = import.meta.url.endsWith('.ts') ? 'npx --no-install postern' : 'postern'
