import type { Permission } from '../../shared/domain/access.ts'
import type { Storage } from '../storage/port.ts'
import type { Session, User } from '../records/port.ts'

/** Whoever asks, with what they may reach. Made once per request from the store; nothing of it comes from the token. */
export type Caller = {
  readonly user: User
  readonly session: Session
  /** Narrowed to the scope, the rules and the dotfile preference; every mutation through it is announced. */
  readonly storage: Storage
  readonly may: (permission: Permission) => boolean
}
