import { QueryClientProvider } from '@tanstack/react-query'
import { queryClient } from '../api/query-client.ts'
import { Prompts } from '../features/prompts/prompts.tsx'

/** The open dialog, with the cache of what dialogs ask the server: neither is needed before the first rows. */
export const Dialogs = () => (
  <QueryClientProvider client={queryClient}>
    <Prompts />
  </QueryClientProvider>
)
