import { Type } from 'typebox'
import { schemaOf } from './answers/schema-of.ts'
import { endpoint } from './endpoint.ts'

/**
 * In bytes; both 0 for what is no folder (contract 8.2). To a person with a quota: what their scope holds, of the quota, or of what the
 * disk has room for where that is less.
 */
export type Usage = { readonly total: number; readonly used: number }

const usageSchema = schemaOf<Usage>()(
  Type.Object({ total: Type.Number(), used: Type.Number() }, { title: 'Usage' }),
)

export const getUsage = endpoint({
  route: 'usage.get',
  summary: 'How full the file system is that holds a folder, or the quota of who asks',
  who: 'session',
  body: 'none',
  gives: { 'application/json': usageSchema },
})
