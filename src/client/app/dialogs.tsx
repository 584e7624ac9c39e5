import '../features/editor/draft-database.ts'
import '../i18n/later-texts.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { queryClient } from '../api/query-client.ts'
import { useLocale } from '../i18n/locale.ts'
import { addIcons } from '../ui/icon.tsx'
import { lateIcons } from '../ui/icons/late-icons.ts'
import { Prompts } from '../features/prompts/prompts.tsx'
import { SharePrompts } from '../features/sharing/share-prompts.tsx'

addIcons(lateIcons)

/**
 * Renders the open prompt and provides it with the query cache. The prompts and the query cache are in a separate
 * chunk, because the first rows do not need them. React Aria would otherwise use the language of the browser.
 */
export const Dialogs = () => (
  <QueryClientProvider client={queryClient}>
    <I18nProvider locale={useLocale()}>
      <Prompts />
      <SharePrompts />
    </I18nProvider>
  </QueryClientProvider>
)
