import { endpoint } from './endpoint.ts'

/** In bytes; both 0 for what is no folder (contract 8.2). */
export type Usage = { readonly total: number; readonly used: number }

export const getUsage = endpoint({
  route: 'usage.get',
  summary: 'How full the file system is that holds a folder',
  who: 'session',
  body: 'none',
  gives: ['application/json'],
})
