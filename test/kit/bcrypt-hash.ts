import { genSaltSync, hashSync } from 'bcryptjs'

export type BcryptOptions = { readonly cost?: number; readonly version?: '2a' | '2b' | '2y' }

/** Returns a bcrypt hash, as databases of other programs contain it. */
export const bcryptHash = (password: string, { cost = 4, version = '2b' }: BcryptOptions = {}): string =>
  hashSync(password, genSaltSync(cost)).replace('$2b$', `$${version}$`)
