import { QueryClient } from '@tanstack/react-query'
import { registerPersonal } from '../state/personal.ts'
import { CallError } from './call.ts'

/**
 * The query cache. Only transient failures (no connection, status 503) are retried, at most twice. Requests are also
 * sent while the browser reports no network: by default, the cache would hold them back, and nothing would tell the
 * user why.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (failures, error) =>
        failures < 2 && error instanceof CallError && (error.status === 0 || error.status === 503),
    },
    // The values that a form has sent may contain a password, so the cache drops them as soon as the form has left the screen.
    mutations: { networkMode: 'always', gcTime: 0 },
  },
})

// A provider of the library would do this. Data is then loaded again when the page is shown again or the network has returned.
queryClient.mount()

registerPersonal({ drop: () => queryClient.clear() })
