import { useLayoutEffect, useRef, useState } from 'react'
import { Plus } from 'lucide'
import { useSuspenseQuery } from '../../api/use-query.ts'
import type { ShareResource } from '../../../shared/contract/shares.ts'
import { nameOf, type Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { closePrompt } from '../../state/prompt.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { visibleName } from '../../ui/visible-name.ts'
import { LinkForm } from './link-form.tsx'
import { LinkRow } from './link-row.tsx'
import { changesOfFields, termsOfFields, type LinkFields } from './link-terms.ts'
import { changeLink, createLink, linksOfEntry, type SharedEntry } from './share-links.ts'
import styles from './sharing.module.css'

/** The button that gets the focus when the list of links is shown again. */
type FocusedButton = { readonly hash: string; readonly button: 'copy' | 'edit' } | { readonly button: 'new' }

/**
 * Shows the links of an entry, and the form for a new one. Without links, the form is shown first, and its *Cancel* closes
 * the prompt (specification 4).
 */
export function SharePrompt({ path, isFolder }: { readonly path: Path; readonly isFolder: boolean }) {
  const { data: links } = useSuspenseQuery(linksOfEntry({ path, isFolder }))
  const [mode, setMode] = useState<'list' | 'create' | ShareResource>(links.length === 0 ? 'create' : 'list')
  const [newest, setNewest] = useState<string | null>(null)
  const [focused, setFocused] = useState<FocusedButton | null>(null)
  const newButton = useFocusOfNewButton({
    count: links.length,
    isReturning: mode === 'list' && focused?.button === 'new',
  })
  const name = visibleName(nameOf(path)) || t('sidebar.myFiles')
  if (mode !== 'list') {
    const link = mode === 'create' ? null : mode
    return (
      <LinkForm
        link={link}
        isFolder={isFolder}
        name={name}
        onSave={async (fields) => {
          const hash = await saveLink({ path, isFolder }, { link, fields })
          setNewest(hash)
          setFocused({ hash, button: 'copy' })
          setMode('list')
        }}
        onCancel={() => {
          if (links.length === 0) {
            closePrompt()
            return
          }
          setFocused(link === null ? { button: 'new' } : { hash: link.hash, button: 'edit' })
          setMode('list')
        }}
      />
    )
  }
  const ordered = links.toSorted((a, b) => Number(b.hash === newest) - Number(a.hash === newest))
  return (
    <Dialog
      title={t('share.title', { name })}
      width="wide"
      onClose={closePrompt}
      actions={
        <>
          <Button onClick={closePrompt}>{t('buttons.close')}</Button>
          <Button ref={newButton} kind="primary" icon={Plus} onClick={() => setMode('create')}>
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
            <LinkRow
              key={link.hash}
              link={link}
              focused={focused?.button !== 'new' && focused?.hash === link.hash ? focused.button : null}
              onEdit={() => setMode(link)}
            />
          ))}
        </ul>
      )}
    </Dialog>
  )
}

/**
 * Focuses the button with the returned reference when the focus was lost with the row of a deleted link, and when the
 * form that the button opened was left.
 */
function useFocusOfNewButton({
  count,
  isReturning,
}: {
  readonly count: number
  readonly isReturning: boolean
}) {
  const button = useRef<HTMLButtonElement>(null)
  const before = useRef(count)
  useLayoutEffect(() => {
    const isFocusLost = document.activeElement === null || document.activeElement === document.body
    if (count < before.current && isFocusLost) button.current?.focus()
    before.current = count
  }, [count])
  useLayoutEffect(() => {
    if (isReturning) button.current?.focus()
  }, [isReturning])
  return button
}

/** Changes the link, or creates one when there is none yet. Returns its hash. */
async function saveLink(
  entry: SharedEntry,
  { link, fields }: { readonly link: ShareResource | null; readonly fields: LinkFields },
): Promise<string> {
  if (link === null) return (await createLink(entry, termsOfFields(fields))).hash
  await changeLink(link.hash, changesOfFields(link, fields))
  return link.hash
}
