import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { nameOf, type Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { closePrompt } from '../../state/prompt.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { visibleName } from '../../ui/visible-name.ts'
import { LinkForm } from './link-form.tsx'
import { LinkRow } from './link-row.tsx'
import { linksOfEntry } from './share-links.ts'
import styles from './sharing.module.css'

type SharePromptProps = { readonly path: Path; readonly isFolder: boolean }

/**
 * Shows the links of an entry, and the form for a new one. Without links, the form is shown first, and its *Cancel* closes
 * the prompt (specification 4).
 */
export function SharePrompt({ path, isFolder }: SharePromptProps) {
  const { data: links } = useSuspenseQuery(linksOfEntry({ path, isFolder }))
  const [mode, setMode] = useState<'list' | 'create'>(links.length === 0 ? 'create' : 'list')
  const [newest, setNewest] = useState<string | null>(null)
  const name = visibleName(nameOf(path)) || t('sidebar.myFiles')
  if (mode === 'create')
    return (
      <LinkForm
        entry={{ path, isFolder }}
        name={name}
        onCreated={({ hash }) => {
          setNewest(hash)
          setMode('list')
        }}
        onCancel={() => (links.length === 0 ? closePrompt() : setMode('list'))}
      />
    )
  const ordered = links.toSorted((a, b) => Number(b.hash === newest) - Number(a.hash === newest))
  return (
    <Dialog
      title={t('share.title', { name })}
      width="wide"
      onClose={closePrompt}
      actions={
        <>
          <Button onClick={closePrompt}>{t('buttons.close')}</Button>
          <Button kind="primary" icon="plus" onClick={() => setMode('create')}>
            {t('share.new')}
          </Button>
        </>
      }
    >
      {links.length === 0 ? (
        <p>{t('share.none')}</p>
      ) : (
        <ul className={styles.links}>
          {ordered.map((link) => (
            <LinkRow key={link.hash} link={link} isFocused={link.hash === newest} />
          ))}
        </ul>
      )}
    </Dialog>
  )
}
