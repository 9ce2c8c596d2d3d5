/** A disk that is full or a directory that cannot be written to: nothing is wrong with the program. */
export function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}
