import { dirname } from 'node:path'
import { CommandFailure } from '../exit-codes.ts'

/** Does what writes the file of a backup. A failure there is one of the place that was typed, not of the data folder. */
export async function onTarget<T>(file: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    const sentence = explain((error as NodeJS.ErrnoException).code, file)
    throw sentence === null ? error : new CommandFailure(`No backup was made: ${sentence}`)
  }
}

function explain(code: string | undefined, file: string): string | null {
  const folder = dirname(file)
  switch (code) {
    case 'ENOENT':
      return `the folder ${folder} does not exist. Create it, or choose another.`
    case 'ENOTDIR':
      return `${folder} is not a folder. Choose another.`
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `this user has no permission to write ${file}. Choose another folder, or grant the permission.`
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return `${file} does not fit on its disk. Make room there, or choose another disk.`
    default:
      return null
  }
}
