import '../i18n/later-texts.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { config } from '../api/config.ts'
import { queryClient } from '../api/query-client.ts'
import { DiskUsage } from '../features/sidebar/disk-usage.tsx'
import { SidebarFolders } from '../features/sidebar/sidebar-folders.tsx'
import { SidebarResizer } from '../features/sidebar/sidebar-resizer.tsx'
import { startPins } from '../state/saved-pins.ts'
import { addIcons } from '../ui/icon.tsx'
import { lateIcons } from '../ui/icons/late-icons.ts'
import { ThemeMenu } from './theme-menu.tsx'

addIcons(lateIcons)
startPins(config().BaseURL)

/**
 * Renders a part of the sidebar that the first rows do not need, and provides it with the query cache. The parts are in
 * a separate chunk.
 */
export function SidebarPart({ name }: { readonly name: 'folders' | 'usage' | 'theme' | 'resizer' }) {
  if (name === 'resizer') return <SidebarResizer />
  if (name === 'theme') return <ThemeMenu />
  return (
    <QueryClientProvider client={queryClient}>
      {name === 'folders' ? <SidebarFolders /> : <DiskUsage />}
    </QueryClientProvider>
  )
}
