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

const open = Symbol('open')
const opened = Symbol('opened')
type Opening = { [open]: () => Storage; [opened]: Storage | undefined }

/** On a prototype: an accessor in the literal would give each caller a hidden class of its own, which outlives the request. */
const storageWhenAsked = {
  get storage(): Storage {
    const opening = this as unknown as Opening
    return (opening[opened] ??= opening[open]())
  },
}

/** Many ask for no file: their storage, with all that watches over it, is made when it is first asked for. */
export const callerOf = (
  { user, session }: Pick<Caller, 'user' | 'session'>,
  openStorage: () => Storage,
): Caller => {
  // Filled in one after the other: copied as a whole onto its prototype it would cost four times as much.
  const caller = Object.create(storageWhenAsked) as Opening & {
    -readonly [Key in keyof Caller]: Caller[Key]
  }
  caller.user = user
  caller.session = session
  caller.may = (permission) => user.perm[permission]
  caller[open] = openStorage
  caller[opened] = undefined
  return caller
}
