import { useRef } from 'react'
import { CircleCheck, RefreshCw, X } from 'lucide'
import { typeOfName } from '../../../../shared/domain/file-kind.ts'
import type { ErrorCode } from '../../../../shared/domain/failure.ts'
import { formatSize } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { visibleName } from '../../../ui/visible-name.ts'
import { FileName } from '../../../ui/file-name.tsx'
import { FilePicture } from '../../../ui/file-picture.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import type { DroppedFile, DropQueue } from './drop-queue.ts'
import styles from './drop.module.css'

type DroppedFilesProps = {
  readonly files: readonly DroppedFile[]
  readonly queue: DropQueue
  /** Called before a file is removed when no other row has a button that could take the focus. */
  readonly onEmpty: () => void
}

/** Renders the files that the guest has chosen and sent, each with its progress or the reason why it was refused. */
export function DroppedFiles({ files, queue, onEmpty }: DroppedFilesProps) {
  const list = useRef<HTMLUListElement>(null)
  const remove = (id: string): void => {
    const index = files.findIndex((dropped) => dropped.id === id)
    // The pressed button disappears, so the focus goes to a button of the next row, or of the row before.
    const row = list.current?.children[index]
    const neighbour = [row?.nextElementSibling, row?.previousElementSibling]
      .map((other) => other?.querySelector('button'))
      .find((button) => button)
    if (neighbour) neighbour.focus()
    else onEmpty()
    queue.remove(id)
  }
  return (
    <ul ref={list} className={styles.files} aria-label={t('drop.files')}>
      {files.map((dropped) => (
        <DroppedRow key={dropped.id} {...{ dropped, queue }} onRemove={() => remove(dropped.id)} />
      ))}
    </ul>
  )
}

type DroppedRowProps = {
  readonly dropped: DroppedFile
  readonly queue: DropQueue
  readonly onRemove: () => void
}

function DroppedRow({ dropped, queue, onRemove }: DroppedRowProps) {
  const { id, file, state, sentBytes } = dropped
  const name = visibleName(file.name)
  return (
    <li className={styles.file} data-state={state}>
      <FilePicture
        name={file.name}
        isFolder={false}
        isLink={false}
        isBroken={false}
        type={typeOfName(file.name) ?? 'blob'}
      />
      <div className={styles.what}>
        <FileName name={file.name} />
        {state === 'sending' ? (
          <ProgressBar label={name} fraction={file.size === 0 ? null : sentBytes / file.size} />
        ) : (
          <StateText dropped={dropped} />
        )}
      </div>
      {state === 'failed' && (
        <IconButton icon={RefreshCw} label={t('drop.retry', { name })} onClick={() => queue.retry(id)} />
      )}
      {state === 'done' ? (
        <span className={styles.done}>
          <Icon icon={CircleCheck} />
        </span>
      ) : (
        <IconButton
          icon={X}
          label={t(state === 'chosen' || state === 'failed' ? 'drop.remove' : 'drop.cancel', { name })}
          onClick={onRemove}
        />
      )}
    </li>
  )
}

function StateText({ dropped: { state, fault, file } }: { readonly dropped: DroppedFile }) {
  if (state === 'failed') return <span className={styles.failed}>{faultText(fault)}</span>
  const word = state === 'chosen' || state === 'sending' ? '' : t(`drop.state.${state}`)
  return (
    <span className={styles.muted}>
      {[word, formatSize(file.size)].filter((text) => text !== '').join(' · ')}
    </span>
  )
}

/** The refusals that have a sentence of their own. */
const explained = [
  'bad-name',
  'changed-meanwhile',
  'forbidden',
  'no-space',
  'not-found',
  'not-signed-in',
  'too-large',
  'too-many-files',
] as const satisfies readonly ErrorCode[]

/** Returns why a file was refused, in plain words. */
function faultText(fault: ErrorCode | null): string {
  // A guest can change neither a full disk nor a used up quota of the owner, so both have one sentence.
  if (fault === 'over-quota') return t('drop.failed.no-space')
  return t(`drop.failed.${explained.find((code) => code === fault) ?? 'other'}`)
}
