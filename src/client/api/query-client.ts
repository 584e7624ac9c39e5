import { QueryClient } from '@tanstack/react-query'
import { registerPersonal } from '../state/personal.ts'
import { CallError } from './call.ts'

/** The query cache. Only transient failures (no connection, status 503) are retried, at most twice. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) =>
        failures < 2 && error instanceof CallError && (error.status === 0 || error.status === 503),
    },
  },
})

registerPersonal({ drop: () => queryClient.clear() })
