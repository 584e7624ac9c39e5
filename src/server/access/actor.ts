import type { User } from '../records/user-store.ts'
import type { Caller } from './caller.ts'

/**
 * Somebody in whose name files are read and changed. The caller of a request is an actor; a job or a command of the
 * terminal can be one as well, because an actor knows nothing of requests. The storage of an actor refuses changes for
 * which the actor lacks a permission.
 */
export type Actor = Pick<Caller, 'storage' | 'may'> & { readonly user: Pick<User, 'id'> }
