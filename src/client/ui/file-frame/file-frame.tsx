import type { ReactNode, Ref } from 'react'
import { FileName } from '../file-name.tsx'
import { FilePicture } from '../file-picture.tsx'
import styles from './file-frame.module.css'

type FileFrameProps = {
  readonly file: { readonly name: string; readonly type: string; readonly isFolder?: boolean }
  /** True where the name is the heading of the screen. */
  readonly isHeading: boolean
  /** A mark before the name. */
  readonly mark?: ReactNode
  /** The line below the name, and the same as a text for its tooltip. */
  readonly facts: ReactNode
  readonly factsTitle?: string
  /** The buttons before and after the name. */
  readonly start?: ReactNode
  readonly end?: ReactNode
  readonly stageRef?: Ref<HTMLDivElement>
  readonly children: ReactNode
}

/** Lays out a file on screen: a header with its name, its facts and buttons, and below it the stage with the viewer. */
export const FileFrame = ({
  file,
  isHeading,
  mark,
  facts,
  factsTitle,
  start,
  end,
  stageRef,
  children,
}: FileFrameProps) => {
  const Name = isHeading ? 'h1' : 'p'
  return (
    <>
      <header className={styles.header}>
        {start}
        <FilePicture name={file.name} type={file.type} isFolder={file.isFolder === true} size={32} />
        <div className={styles.facts}>
          <Name className={styles.name} tabIndex={isHeading ? -1 : undefined}>
            {mark}
            <FileName name={file.name} isWhole />
          </Name>
          <p className={styles.line} title={factsTitle}>
            {facts}
          </p>
        </div>
        {end}
      </header>
      <div ref={stageRef} className={styles.stage}>
        {children}
      </div>
    </>
  )
}
