import { AppError } from '../../../shared/domain/failure.ts'

/**
 * Creates the error of a login with a name that differs from the name of a user only in case or in the composition of
 * its letters. Names are compared exactly, because another program may take the two for different people. The client
 * cannot distinguish this failure from wrong credentials, and the log names the reason.
 */
export const similarNameError = (cause?: unknown): AppError =>
  new AppError('login-failed', {
    cause,
    reason: 'a user has nearly this name, and names are compared exactly, including upper and lower case',
  })
