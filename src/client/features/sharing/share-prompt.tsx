import { useLayoutEffect, useRef, useState } from 'react'
import { Link2 } from 'lucide'
import { useSuspenseQuery } from '../../api/use-query.ts'
import type { ShareResource } from '../../../shared/contract/shares.ts'
import { nameOf, type Path } from '../../../shared/domain/path.ts'
import { sentences } from '../../i18n/joined-texts.ts'
import { t } from '../../i18n/translate.ts'
import { copyTextOf } from '../../operations/copying/copy-text.ts'
import { closePrompt } from '../../state/prompt.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { visibleName } from '../../ui/visible-name.ts'
import type { LatestLink } from './latest-link.ts'
import { LinkForm } from './link-form.tsx'
import { LinkRow } from './link-row.tsx'
import { changesOfFields, emptyFields, termsOfFields } from './link-terms.ts'
import { NewLinkTerms } from './new-link-terms.tsx'
import { changeLink, createLink, linksOfEntry, urlOfLink } from './share-links.ts'
import { useLinkDraft } from './use-link-draft.ts'
import styles from './sharing.module.css'

/**
 * Shows the links of an entry. The prompt begins at *Create link*, or at *Copy link* of the first link where there is one, so that
 * opening the prompt and pressing Enter again and again never makes more than one link. A link is changed in a form in the place of
 * the list.
 */
export function SharePrompt({ path, isFolder }: { readonly path: Path; readonly isFolder: boolean }) {
  const { data: links } = useSuspenseQuery(linksOfEntry({ path, isFolder }))
  const [edited, setEdited] = useState<ShareResource | null>(null)
  const [latest, setLatest] = useState<LatestLink | null>(
    links[0] === undefined ? null : { hash: links[0].hash, button: 'copy', isCopied: null },
  )
  const name = visibleName(nameOf(path)) || t('sidebar.myFiles')
  if (edited === null)
    return (
      <LinkList
        entry={{ path, isFolder, name }}
        links={links}
        latest={latest}
        onCreate={setLatest}
        onEdit={setEdited}
      />
    )
  return (
    <LinkForm
      link={edited}
      isFolder={isFolder}
      name={name}
      onSave={async (fields) => {
        await changeLink(edited.hash, changesOfFields(edited, fields))
        setLatest({ hash: edited.hash, button: 'copy', isCopied: null })
        setEdited(null)
      }}
      onCancel={() => {
        setLatest({ hash: edited.hash, button: 'edit', isCopied: null })
        setEdited(null)
      }}
    />
  )
}

type LinkListProps = {
  readonly entry: { readonly path: Path; readonly isFolder: boolean; readonly name: string }
  readonly links: readonly ShareResource[]
  readonly latest: LatestLink | null
  readonly onCreate: (link: LatestLink) => void
  readonly onEdit: (link: ShareResource) => void
}

function LinkList({ entry, links, latest, onCreate, onEdit }: LinkListProps) {
  const [resets, setResets] = useState(0)
  const draft = useLinkDraft(null, async (fields) => {
    const created = createLink(entry, termsOfFields(fields))
    // Browsers allow to copy at the press, so that the copying begins before the server has answered.
    const isCopied = await copyTextOf(created.then(urlOfLink))
    onCreate({ hash: (await created).hash, button: 'copy', isCopied })
  })
  /** Empties and closes the terms. */
  const reset = (): void => {
    draft.change(emptyFields)
    setResets((before) => before + 1)
  }
  const createButton = useFocusOfCreateButton(links.length, latest === null)
  const { problem, isBusy, failure, submit, isChanged } = draft
  const ordered = links.toSorted((a, b) => Number(b.hash === latest?.hash) - Number(a.hash === latest?.hash))
  return (
    <Dialog
      title={t('share.title', { name: entry.name })}
      width="wide"
      // The first Escape discards the typed values, and the next one closes the prompt.
      onClose={isChanged() ? reset : closePrompt}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={closePrompt}>{t('buttons.close')}</Button>
          <Button
            ref={createButton}
            kind={links.length === 0 ? 'primary' : 'secondary'}
            icon={Link2}
            type="submit"
            isBusy={isBusy}
            disabled={problem !== null && problem !== 'taken-alias'}
          >
            {t(links.length === 0 ? 'share.create' : 'share.createAnother')}
          </Button>
        </>
      }
    >
      {links.length > 0 && (
        <ul className={styles.links}>
          {ordered.map((link) => (
            <LinkRow
              key={link.hash}
              link={link}
              latest={latest?.hash === link.hash ? latest : null}
              onEdit={() => onEdit(link)}
            />
          ))}
        </ul>
      )}
      <NewLinkTerms
        key={`${resets} ${latest?.hash ?? ''}`}
        draft={draft}
        entry={entry}
        isBelowLinks={links.length > 0}
      />
      {failure !== null && (
        <p role="alert" className={styles.failure}>
          {sentences(t('share.failed.create'), failure)}
        </p>
      )}
    </Dialog>
  )
}

/**
 * Focuses the button *Create link* when the prompt opens without links, so that one more press creates one, and when the focus was
 * lost with the row of a deleted link.
 */
function useFocusOfCreateButton(count: number, isFirst: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const before = useRef(count)
  useLayoutEffect(() => {
    if (isFirst) button.current?.focus()
  }, [isFirst])
  useLayoutEffect(() => {
    const isFocusLost = document.activeElement === null || document.activeElement === document.body
    if (count < before.current && isFocusLost) button.current?.focus()
    before.current = count
  }, [count])
  return button
}
