import { queryOptions, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useId, useRef, type KeyboardEvent } from 'react'
import { compareNames } from '../../../shared/domain/sorting.ts'
import { childOf, parentOf, root, type Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { namesIn } from '../../operations/names-in.ts'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { FileName } from '../../ui/file-name.tsx'
import { FilePicture } from '../../ui/file-picture.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './prompts.module.css'

/** The folder that is listed, and the name of the folder chosen in it; null chooses the listed folder itself. */
export type FolderChoice = { readonly at: Path; readonly chosen: string | null }

type FolderPickerProps = {
  readonly label: string
  readonly choice: FolderChoice
  readonly onChoose: (choice: FolderChoice) => void
  /** True for folders that cannot be the destination, because they are what is moved. */
  readonly isExcluded: (folder: Path) => boolean
}

/** Two clicks within this time count as a double click. A label passes on single clicks only. */
const doubleClickMs = 400

/** The names of the folders in a folder, sorted. Stale at once: other people create and delete folders. */
const childFoldersQuery = (folder: Path) =>
  queryOptions({
    queryKey: ['folder names', folder],
    queryFn: async () => {
      const names = await namesIn(folder)
      return [...names].flatMap(([name, isFolder]) => (isFolder ? name : [])).sort(compareNames)
    },
    staleTime: 0,
  })

/**
 * Lets the person walk through the folders: a click chooses a folder and a second click takes the choice back, a double
 * click or → enters the folder, ← goes up.
 */
export function FolderPicker({ label, choice, onChoose, isExcluded }: FolderPickerProps) {
  const { at } = choice
  const goUp = (): void => onChoose({ at: parentOf(at), chosen: null })
  return (
    <fieldset key={at} className={styles.picker}>
      <legend className="visually-hidden">{label}</legend>
      {at !== root && (
        <button
          type="button"
          ref={takeLostFocus}
          className={styles.option}
          onClick={goUp}
          onKeyDown={onLeftKey(goUp)}
        >
          <Icon name="folder-up" />
          <span className={styles.optionName}>{t('action.parent-folder')}</span>
        </button>
      )}
      <ErrorBoundary resetKey={at} renderFallback={() => <ListingFailure folder={at} />}>
        <Suspense fallback={<Spinner />}>
          <FolderOptions choice={choice} onChoose={onChoose} isExcluded={isExcluded} />
        </Suspense>
      </ErrorBoundary>
    </fieldset>
  )
}

function FolderOptions({ choice: { at, chosen }, onChoose, isExcluded }: Omit<FolderPickerProps, 'label'>) {
  const group = useId()
  const chosenAtMs = useRef(0)
  const { data } = useSuspenseQuery(childFoldersQuery(at))
  const names = data.filter((name) => !isExcluded(childOf(at, name) ?? root))
  const goTo = (folder: Path): void => onChoose({ at: folder, chosen: null })
  const leave = (): void => goTo(at)
  const goUp = (): void => goTo(parentOf(at))
  if (names.length === 0) return <p className={styles.muted}>{t('prompt.transfer.none')}</p>
  return names.map((name) => {
    const enter = (): void => goTo(childOf(at, name) ?? at)
    return (
      <label key={name} className={styles.option}>
        <input
          type="radio"
          name={group}
          ref={takeLostFocus}
          className={styles.choice}
          checked={name === chosen}
          onChange={({ timeStamp }) => {
            chosenAtMs.current = timeStamp
            onChoose({ at, chosen: name })
          }}
          onClick={({ timeStamp }) => {
            if (name === chosen) (timeStamp - chosenAtMs.current < doubleClickMs ? enter : leave)()
          }}
          onKeyDown={(event) =>
            event.key === 'ArrowRight' ? runInstead(event, enter) : onLeftKey(goUp)(event)
          }
        />
        <FilePicture name={name} isFolder isLink={false} isBroken={false} type="" size={20} />
        <FileName name={name} />
      </label>
    )
  })
}

function ListingFailure({ folder }: { readonly folder: Path }) {
  useRetryOnNextVisit(folder)
  return <p className={styles.muted}>{t('failed.list')}</p>
}

/**
 * Evicts a failure from the query cache when it leaves the screen: a cached failure is thrown again without a request.
 */
function useRetryOnNextVisit(folder: Path): void {
  const queryClient = useQueryClient()
  useEffect(
    () => () => queryClient.removeQueries({ queryKey: childFoldersQuery(folder).queryKey, exact: true }),
    [queryClient, folder],
  )
}

/**
 * As a `ref`: when the focused option has left with the list that it was in, the first element of the next list takes
 * the focus.
 */
function takeLostFocus(element: HTMLElement | null): void {
  const { activeElement } = document
  if (activeElement === document.body || activeElement?.matches('[role="dialog"]')) element?.focus()
}

function runInstead(event: KeyboardEvent, run: () => void): void {
  event.preventDefault()
  run()
}

const onLeftKey =
  (goUp: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key === 'ArrowLeft' || event.key === 'Backspace') runInstead(event, goUp)
  }
