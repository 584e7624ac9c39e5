import type { ViewerProps } from '../viewer.ts'
import styles from './media.module.css'

/** Plays a sound file with the controls of the browser. */
export const AudioViewer = ({ file, onBroken }: Pick<ViewerProps, 'file' | 'onBroken'>) => (
  <audio className={styles.audio} src={file.address} controls onError={onBroken}>
    <track kind="captions" />
  </audio>
)
