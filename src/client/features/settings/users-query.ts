import { queryOptions } from '@tanstack/react-query'
import { callJson } from '../../api/call.ts'

/** Fetched again whenever a screen is opened, because other administrators make changes at any time. */
export const alwaysFresh = {
  staleTime: 0,
  gcTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const

export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => callJson('users.list', { signal }),
  ...alwaysFresh,
})

export const userQuery = (id: number) =>
  queryOptions({
    queryKey: ['users', id],
    queryFn: ({ signal }) => callJson('users.get', { id, signal }),
    ...alwaysFresh,
  })
