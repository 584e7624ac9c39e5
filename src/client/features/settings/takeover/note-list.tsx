import { useState } from 'react'
import type { TakeoverNoteResource } from '../../../../shared/contract/server.ts'
import { t } from '../../../i18n/translate.ts'
import { Link } from '../../../router/link.tsx'
import { Button } from '../../../ui/button.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import { noteText } from './note-text.ts'
import styles from './takeover-page.module.css'

/** The number of notes that are shown at first. Old installations with thousands of shares have thousands of notes. */
const firstNotes = 50

/** Renders notes of the report: those about the whole server, and then those about each user. */
export function NoteList({ notes }: { readonly notes: readonly TakeoverNoteResource[] }) {
  const [isWhole, setIsWhole] = useState(false)
  const byUser = [...Map.groupBy(notes, ({ user }) => user)]
  const sorted = byUser.toSorted(([one], [other]) => Number(other === '') - Number(one === ''))
  const shown = sorted.flatMap(([, group]) => group).slice(0, isWhole ? notes.length : firstNotes)
  return (
    <>
      {[...Map.groupBy(shown, ({ user }) => user)].map(([user, group]) => (
        <NoteGroup key={user} user={user} notes={group} />
      ))}
      {shown.length < notes.length && (
        <div>
          <Button onClick={() => setIsWhole(true)}>
            {t('settings.takeover.all', { count: notes.length })}
          </Button>
        </div>
      )}
    </>
  )
}

type NoteGroupProps = { readonly user: string; readonly notes: readonly TakeoverNoteResource[] }

function NoteGroup({ user, notes }: NoteGroupProps) {
  const id = notes.find(({ userId }) => userId !== null)?.userId ?? null
  const name = <bdi>{visibleName(user)}</bdi>
  return (
    <div className={styles.group}>
      {user !== '' && (
        <h3 className={styles.heading}>
          {id === null ? name : <Link to={`/settings/users/${id}`}>{name}</Link>}
        </h3>
      )}
      <ul className={styles.notes}>
        {notes.map((note, at) => (
          <li key={at}>
            {noteText(note) ?? (
              // Early versions stored only English sentences.
              <bdi lang="en">{visibleName(note.text)}</bdi>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
