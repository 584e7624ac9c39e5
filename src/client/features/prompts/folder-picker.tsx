import { useQuery } from '@tanstack/react-query'
import { useId, useRef, type KeyboardEvent } from 'react'
import { compareNames } from '../../../shared/domain/sorting.ts'
import { childOf, parentOf, root, type Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { namesIn } from '../../operations/names-in.ts'
import { FileName } from '../../ui/file-name.tsx'
import { FilePicture } from '../../ui/file-picture.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './prompts.module.css'

/** Where one is, and which folder in there is chosen; null: the one where one is. */
export type Picked = { readonly at: Path; readonly chosen: string | null }

type FolderPickerProps = {
  readonly label: string
  readonly picked: Picked
  readonly onPick: (picked: Picked) => void
  /** Folders that cannot be the goal, because they are what is moved. */
  readonly isLeftOut: (folder: Path) => boolean
}

/** Two clicks within this time are a double click. A label hands on single ones only. */
const doubleMs = 400

/** Folders to go through: a click chooses one and a second one takes it back, a double click or → enters it, ← goes up. */
export function FolderPicker({ label, picked: { at, chosen }, onPick, isLeftOut }: FolderPickerProps) {
  const group = useId()
  const chosenAtMs = useRef(0)
  const { data, isPending, isError } = useQuery({
    queryKey: ['folder names', at],
    queryFn: () => foldersIn(at),
    staleTime: 0,
  })
  const names = (data ?? []).filter((name) => !isLeftOut(childOf(at, name) ?? root))
  const goTo = (folder: Path): void => onPick({ at: folder, chosen: null })
  const leave = (): void => goTo(at)
  const goUp = (): void => goTo(parentOf(at))
  return (
    <fieldset key={at} aria-busy={isPending} className={styles.picker}>
      <legend className="visually-hidden">{label}</legend>
      {at !== root && (
        <button
          type="button"
          ref={focusLost}
          className={styles.option}
          onClick={goUp}
          onKeyDown={onLeft(goUp)}
        >
          <Icon name="folder-up" />
          <span className={styles.optionName}>{t('action.parent-folder')}</span>
        </button>
      )}
      {names.map((name) => {
        const enter = (): void => goTo(childOf(at, name) ?? at)
        return (
          <label key={name} className={styles.option}>
            <input
              type="radio"
              name={group}
              ref={focusLost}
              className={styles.choice}
              checked={name === chosen}
              onChange={({ timeStamp }) => {
                chosenAtMs.current = timeStamp
                onPick({ at, chosen: name })
              }}
              onClick={({ timeStamp }) => {
                if (name === chosen) (timeStamp - chosenAtMs.current < doubleMs ? enter : leave)()
              }}
              onKeyDown={(event) =>
                event.key === 'ArrowRight' ? prevented(event, enter) : onLeft(goUp)(event)
              }
            />
            <FilePicture name={name} isFolder isLink={false} isBroken={false} type="" size={20} />
            <FileName name={name} />
          </label>
        )
      })}
      {isPending && <Spinner />}
      {isError && <p className={styles.muted}>{t('failed.list')}</p>}
      {!isPending && !isError && names.length === 0 && (
        <p className={styles.muted}>{t('prompt.transfer.none')}</p>
      )}
    </fieldset>
  )
}

/** The folder that had the focus has left with the list it was in: the first thing of the next list takes it. */
function focusLost(element: HTMLElement | null): void {
  const { activeElement } = document
  if (activeElement === document.body || activeElement?.matches('[role="dialog"]')) element?.focus()
}

function prevented(event: KeyboardEvent, run: () => void): void {
  event.preventDefault()
  run()
}

const onLeft =
  (goUp: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key === 'ArrowLeft' || event.key === 'Backspace') prevented(event, goUp)
  }

async function foldersIn(folder: Path): Promise<readonly string[]> {
  const names = await namesIn(folder)
  return [...names].flatMap(([name, isFolder]) => (isFolder ? name : [])).sort(compareNames)
}
