import {
  Captions,
  CaptionsOff,
  Gauge,
  Maximize,
  Minimize,
  PictureInPicture2,
  Repeat,
  Repeat1,
  Shuffle,
  SkipBack,
  SkipForward,
  Volume2,
  VolumeX,
  type IconNode,
} from 'lucide'
import type { IconName } from '../icon-names.ts'

/** The drawings that only the players of videos and audio files use. They are loaded with these players. */
export const mediaIcons = {
  captions: Captions,
  'captions-off': CaptionsOff,
  gauge: Gauge,
  maximize: Maximize,
  minimize: Minimize,
  'picture-in-picture': PictureInPicture2,
  repeat: Repeat,
  'repeat-one': Repeat1,
  shuffle: Shuffle,
  'skip-back': SkipBack,
  'skip-forward': SkipForward,
  volume: Volume2,
  'volume-off': VolumeX,
} as const satisfies Readonly<Partial<Record<IconName, IconNode>>>

export type MediaIconName = keyof typeof mediaIcons
