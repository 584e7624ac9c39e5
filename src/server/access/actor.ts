import type { User } from '../records/user-store.ts'
import type { Caller } from './caller.ts'

/**
 * Somebody in whose name files are read and changed. The caller of a request is an actor; a job or a command of the
 * terminal can be one as well, because an actor knows nothing of requests. The storage of an actor refuses the changes, and the
 * reads of content, for which the actor lacks a permission. `may` is for the rest: accounts and shares, which are no files; what a
 * description says; and a refusal that has to come before another one.
 */
export type Actor = Pick<Caller, 'storage' | 'may'> & { readonly user: Pick<User, 'id'> }
