import { AppError } from '../contract/app-error.ts'

export function invalidCursor(): AppError {
  return new AppError('invalid_cursor', 'The cursor is unknown, too old, or was made with other filters.')
}
