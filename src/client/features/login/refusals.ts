import '../../i18n/later-texts.ts'
import { FailedAutomaticLogin } from './failed-automatic-login.tsx'
import { RefusedAddress } from './refused-address.tsx'

/** The messages that replace the login form where nobody can log in. */
export const loginRefusals = { FailedAutomaticLogin, RefusedAddress }
