import { noauthToggle, text } from './option-kinds.ts'
import { option } from './option.ts'

/** The options that only the first start of a new state reads. */
export const firstRunOptions = {
  noauth: option({
    name: 'noauth',
    kind: noauthToggle,
    default: false,
    isUnstored: true,
    meaning: 'First run only: disables the login; every visitor is the first user.',
  }),
  username: option({
    name: 'username',
    kind: text,
    default: 'admin',
    isUnstored: true,
    meaning: 'First run only: name of the first user.',
  }),
  password: option({
    name: 'password',
    kind: text,
    default: '',
    isUnstored: true,
    meaning:
      'First run only: hash of the first user’s password (see `stowage hash`); empty for a random password.',
  }),
} as const
