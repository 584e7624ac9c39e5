import type { ViewerProps } from '../viewer.ts'
import styles from './media.module.css'

/** Plays a video with the controls of the browser. */
export const VideoViewer = ({ file, onBroken }: Pick<ViewerProps, 'file' | 'onBroken'>) => (
  <video className={styles.video} src={file.address} controls playsInline onError={onBroken}>
    <track kind="captions" />
  </video>
)
