import { queryOptions } from '@tanstack/react-query'
import { callJson } from './call.ts'

/** The beginning of the keys of all queries for links. */
export const sharesKey = ['shares'] as const

/** The query for the links that the user has created. */
export const ownLinks = queryOptions({
  queryKey: [...sharesKey, 'own'],
  queryFn: ({ signal }) => callJson('shares.list', { query: { own: 'true' }, signal }),
})

/** The query for all links of the user. Administrators get the links of all users. */
export const allLinks = queryOptions({
  queryKey: [...sharesKey, 'all'],
  queryFn: ({ signal }) => callJson('shares.list', { signal }),
  staleTime: 0,
})
