import { noauthToggle, text } from './option-kinds.ts'
import { optionTable } from './option.ts'

/** The options that only the first start of a new state reads. */
export const firstRunOptions = optionTable({
  noauth: {
    kind: noauthToggle,
    default: false,
    isUnstored: true,
    meaning: 'First run only: disables the login; every visitor is the first user.',
  },
  username: {
    kind: text,
    default: 'admin',
    isUnstored: true,
    meaning: 'First run only: name of the first user.',
  },
  password: {
    kind: text,
    default: '',
    isUnstored: true,
    meaning:
      'First run only: hash of the first user’s password (see `stowage hash`); empty for a random password.',
  },
})
