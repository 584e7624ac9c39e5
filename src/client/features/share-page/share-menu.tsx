import { useState } from 'react'
import { EllipsisVertical, QrCode } from 'lucide'
import { t } from '../../i18n/translate.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import type { MenuEntry } from '../../ui/menu/menu-entry.ts'
import { ShareDetails } from './share-dialogs.ts'
import type { SharedEntryProps } from './share-facts.tsx'

type ShareMenuProps = SharedEntryProps & {
  /** The entries above the one for the details of the link. */
  readonly entries: readonly MenuEntry[]
}

/** Renders the button "More", whose menu has the rarer actions of a guest, and the details and the QR code of the link. */
export function ShareMenu({ entry, terms, entries }: ShareMenuProps) {
  const [isDetailed, setDetailed] = useState(false)
  return (
    <>
      <MenuButton
        icon={EllipsisVertical}
        label={t('buttons.more')}
        entries={[
          ...entries,
          {
            id: 'details',
            label: t('guest.details'),
            icon: QrCode,
            run: () => setDetailed(true),
          },
        ]}
      />
      {isDetailed && <ShareDetails entry={entry} terms={terms} onClose={() => setDetailed(false)} />}
    </>
  )
}
