import { useQuery } from '@tanstack/react-query'
import { useId, useRef, type KeyboardEvent } from 'react'
import { compareNames } from '../../../shared/domain/sorting.ts'
import { childOf, parentOf, root, type Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { namesIn } from '../../operations/names-in.ts'
import { FileName } from '../../ui/file-name.tsx'
import { FilePicture } from '../../ui/file-picture.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { focusFirst } from './focus-first.ts'
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

/** Folders to go through: a click chooses one, a double click or → enters it, ← goes up. */
/* oxlint-disable jsx-a11y/prefer-tag-over-role -- options of the browser hold only text, and open no folder */
export function FolderPicker({ label, picked: { at, chosen }, onPick, isLeftOut }: FolderPickerProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const { data, isPending, isError } = useQuery({
    queryKey: ['folder names', at],
    queryFn: () => foldersIn(at),
    staleTime: 0,
  })
  const inside = (data ?? []).filter((name) => !isLeftOut(childOf(at, name) ?? root))
  const names = at === root ? inside : ['..', ...inside]
  const choose = (index: number): void => {
    const name = names[Math.max(0, Math.min(names.length - 1, index))]
    onPick({ at, chosen: name === '..' || name === undefined ? null : name })
    list.current?.children[index]?.scrollIntoView({ block: 'nearest' })
  }
  const enter = (name: string): void =>
    onPick({ at: name === '..' ? parentOf(at) : (childOf(at, name) ?? at), chosen: null })
  const index = chosen === null ? (at === root ? -1 : 0) : names.indexOf(chosen)
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) choose(index + step)
    else if (event.key === 'ArrowRight' && chosen !== null) enter(chosen)
    else if ((event.key === 'ArrowLeft' || event.key === 'Backspace') && at !== root) enter('..')
    else if (event.key === 'Enter') (event.currentTarget as HTMLElement).closest('form')?.requestSubmit()
    else return
    event.preventDefault()
  }
  return (
    <div
      ref={(element) => {
        list.current = element
        if (document.activeElement === document.body) focusFirst(element)
      }}
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-busy={isPending}
      aria-activedescendant={index < 0 ? undefined : `${id}-${index}`}
      className={styles.picker}
      onKeyDown={onKeyDown}
    >
      {names.map((name, at) => (
        <div
          key={name}
          id={`${id}-${at}`}
          role="option"
          aria-selected={name === chosen}
          tabIndex={-1}
          className={styles.option}
          onClick={() => (name === '..' ? enter(name) : choose(at))}
          onDoubleClick={() => name !== '..' && enter(name)}
          onKeyDown={undefined}
        >
          <FilePicture name={name} isFolder isLink={false} isBroken={false} type="" size={20} />
          <FileName name={name} />
        </div>
      ))}
      {isPending && <Spinner />}
      {isError && <p className={styles.muted}>{t('failed.list')}</p>}
      {!isPending && !isError && inside.length === 0 && (
        <p className={styles.muted}>{t('prompt.transfer.none')}</p>
      )}
    </div>
  )
}

async function foldersIn(folder: Path): Promise<readonly string[]> {
  const names = await namesIn(folder)
  return [...names].flatMap(([name, isFolder]) => (isFolder ? name : [])).sort(compareNames)
}
