import { QueryClientProvider } from '@tanstack/react-query'
import { queryClient } from '../api/query-client.ts'
import { Prompts } from '../features/prompts/prompts.tsx'

/**
 * Renders the open prompt and provides it with the query cache. Both are loaded after the first rows, which need
 * neither.
 */
export const Dialogs = () => (
  <QueryClientProvider client={queryClient}>
    <Prompts />
  </QueryClientProvider>
)
