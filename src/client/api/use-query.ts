import { useQuery as useQueryOf, useSuspenseQuery as useSuspenseQueryOf } from '@tanstack/react-query'
import { queryClient } from './query-client.ts'

/** The hook of the query library, with the one query cache of the page. */
export const useQuery = ((options: Parameters<typeof useQueryOf>[0]) =>
  useQueryOf(options, queryClient)) as typeof useQueryOf

/** The suspending hook of the query library, with the one query cache of the page. */
export const useSuspenseQuery = ((options: Parameters<typeof useSuspenseQueryOf>[0]) =>
  useSuspenseQueryOf(options, queryClient)) as typeof useSuspenseQueryOf
