import { useEffect, useRef, useState } from 'react'
import type { Object3D } from 'three'
import { LayoutGrid, RotateCw } from 'lucide'
import { useQuery } from '../../../api/use-query.ts'
import { t } from '../../../i18n/translate.ts'
import { visibleName } from '../../../ui/visible-name.ts'
import type { ViewerProps } from '../viewer.ts'
import { ViewerFrame } from '../frame/viewer-frame.tsx'
import { ViewerLoading } from '../frame/viewer-loading.tsx'
import { damagedReason } from '../frame/damaged-reason.ts'
import { DamagedModelError } from './damaged-model-error.ts'
import { loadModel, readModel, trianglesOf } from './load-model.ts'
import { MissingExtensionError } from './missing-extension.ts'
import { createModelStage, type ModelStage } from './model-stage.ts'
import styles from './model.module.css'

/** Shows a three-dimensional model, which can be turned, moved and zoomed. */
export function ModelViewer({ file, path, isQuick, onBroken }: ViewerProps) {
  const { data: model, error } = useQuery({
    ...modelOptions,
    queryKey: ['model', file.address, file.versionKey],
    queryFn: async ({ signal }) =>
      loadModel({ name: file.name, bytes: await readModel(file, signal), path, signal }),
  })
  useEffect(() => {
    if (error !== null)
      onBroken(error instanceof DamagedModelError ? damagedReason() : missingExtensionIn(error))
  }, [error, onBroken])
  if (model === undefined) return <ViewerLoading />
  return <Model name={file.name} model={model} isQuick={isQuick} onBroken={onBroken} />
}

/** Returns the sentence about the extension that a model needs, or undefined for another error. */
const missingExtensionIn = (error: Error | null): string | undefined =>
  error instanceof MissingExtensionError
    ? t('viewer.modelExtension', { extension: error.extension })
    : undefined

/** A model is kept as long as it is shown, because the graphics memory that it uses is released afterwards. */
const modelOptions = {
  gcTime: 0,
  retry: false,
  refetchOnWindowFocus: false,
  structuralSharing: false,
} as const

/** The angle of one key press in radians, and the factor of one step of the zoom. */
const keyAngle = Math.PI / 12
const zoomStep = 1.25

type ModelProps = Pick<ViewerProps, 'isQuick' | 'onBroken'> & {
  readonly name: string
  readonly model: Object3D
}

function Model({ name, model, isQuick, onBroken }: ModelProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const stage = useRef<ModelStage | null>(null)
  const [hasEdges, setEdges] = useState(false)
  const broken = useRef(onBroken)
  useEffect(() => {
    if (canvas.current === null) return undefined
    try {
      stage.current = createModelStage(canvas.current, model)
    } catch {
      broken.current()
    }
    return () => stage.current?.close()
  }, [model])
  useEffect(() => stage.current?.showEdges(hasEdges), [hasEdges])
  const turn = (left: number, up: number) => () => stage.current?.turn(left, up)
  const zoom = (factor: number) => () => stage.current?.zoom(factor)
  return (
    <ViewerFrame
      part="model"
      look="stage"
      ground="sunken"
      fillsWidth="narrow"
      toolbar={
        !isQuick && {
          label: t('viewer.modelTools'),
          // The keys turn and zoom the model while a button below it has the focus.
          focusKeys: {
            ArrowLeft: turn(keyAngle, 0),
            ArrowRight: turn(-keyAngle, 0),
            ArrowUp: turn(0, keyAngle),
            ArrowDown: turn(0, -keyAngle),
            '+': zoom(zoomStep),
            '-': zoom(1 / zoomStep),
          },
          tools: [
            { kind: 'zoom', onStep: (by) => zoom(by === 1 ? zoomStep : 1 / zoomStep)() },
            { icon: RotateCw, label: t('viewer.turnModel'), run: turn(keyAngle, 0) },
            { kind: 'fit', run: () => stage.current?.reset() },
            {
              icon: LayoutGrid,
              label: t('viewer.edges'),
              isPressed: hasEdges,
              run: () => setEdges(!hasEdges),
            },
          ],
        }
      }
    >
      <canvas ref={canvas} className={styles.canvas}>
        {t('viewer.model', { name: visibleName(name), count: trianglesOf(model) })}
      </canvas>
    </ViewerFrame>
  )
}
