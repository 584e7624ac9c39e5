import { QueryClient } from '@tanstack/react-query'
import { CallError } from './call.ts'

/** The cache of what the server knows. A refusal is final; only what may pass by itself is tried again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) =>
        failures < 2 && error instanceof CallError && (error.status === 0 || error.status === 503),
    },
  },
})
