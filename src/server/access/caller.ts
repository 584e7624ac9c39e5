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
type Opening = { readonly [open]: () => Storage; [opened]: Storage | undefined }

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
): Caller =>
  ({
    __proto__: storageWhenAsked,
    user,
    session,
    may: (permission: Permission) => user.perm[permission],
    [open]: openStorage,
    [opened]: undefined,
  }) as unknown as Caller
