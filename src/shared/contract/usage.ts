import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import type { Wire } from './wire.ts'

const usageSchema = Type.Object({ total: Type.Number(), used: Type.Number() }, { title: 'Usage' })

/**
 * The size and the used part of the file system that holds a folder, in bytes; both are 0 for a path that is no folder (contract 8.2).
 * For a user with a quota, `used` is the size of their scope, and `total` is the quota, or what the disk has room for where that is less.
 */
export type Usage = Wire<typeof usageSchema>

export const getUsage = endpoint({
  route: 'usage.get',
  summary: 'The used and the total size of the file system that holds a folder, or of the caller’s quota',
  audience: 'session',
  body: 'none',
  answers: { 'application/json': usageSchema },
})
