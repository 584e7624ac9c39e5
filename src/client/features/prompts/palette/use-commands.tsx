import { Check } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { closePrompt } from '../../../state/prompt.ts'
import { Icon } from '../../../ui/icon.tsx'
import { keyLabel } from '../../../ui/keyboard/key-labels.ts'
import type { PaletteContent, PaletteOption } from './palette-content.ts'
import type { PaletteItem } from './palette-items.ts'
import { usePaletteItems } from './use-palette-items.ts'
import styles from './palette.module.css'

const sections = ['actions', 'folders', 'files'] as const

/**
 * Returns what the palette shows for commands: actions, places to go to, and the search for a file. Without a query it shows
 * nothing. `continueWith` puts another text into the field.
 */
export function useCommands(query: string | null, continueWith: (text: string) => void): PaletteContent {
  const items = usePaletteItems(query, continueWith)
  const shown = sections
    .map((id) => ({
      id,
      title: t(`palette.${id}`),
      options: items.filter(({ section }) => section === id).map(optionOf),
    }))
    .filter(({ options }) => options.length > 0)
  return {
    title: t('action.palette'),
    fieldLabel: t('palette.label'),
    listLabel: t('action.palette'),
    sections: shown,
    emptyText: '',
    help: t('palette.commandKeys', {
      run: keyLabel('Enter'),
      files: keyLabel('ctrl+p'),
      close: keyLabel('Escape'),
    }),
    chooseFirst: () => shown[0]?.options[0]?.choose(),
  }
}

const optionOf = (item: PaletteItem): PaletteOption => ({
  id: item.id,
  label: item.label,
  ...(item.isChosen === true && { spoken: t('palette.chosen', { name: item.label }) }),
  isDisabled: item.reason !== undefined,
  content: <CommandContent item={item} />,
  choose: () => {
    if (item.reason !== undefined) return
    if (item.staysOpen !== true) closePrompt()
    item.run()
  },
})

const CommandContent = ({ item: { icon, label, isChosen, reason, key } }: { readonly item: PaletteItem }) => (
  <>
    <Icon icon={icon} size={16} />
    <span className={styles.label}>{label}</span>
    {isChosen === true && <Icon icon={Check} size={16} />}
    {reason !== undefined && <span className={styles.reason}>{reason}</span>}
    {reason === undefined && key !== undefined && <kbd className={styles.keys}>{key}</kbd>}
  </>
)
