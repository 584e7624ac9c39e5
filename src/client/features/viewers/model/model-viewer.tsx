import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Object3D } from 'three'
import { LayoutGrid, RotateCw, Scan, ZoomIn, ZoomOut } from 'lucide'
import { useQuery } from '../../../api/use-query.ts'
import { t } from '../../../i18n/translate.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import type { TextFormProps } from '../text-forms.ts'
import type { ViewerProps } from '../viewer.ts'
import { ViewerLoading } from '../viewer-loading.tsx'
import { damagedReason } from '../damaged-reason.ts'
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

/** Shows the model that a text describes, beside the text. */
export function ModelPage({ name, text, path }: TextFormProps) {
  const { data: model, error } = useQuery({
    ...modelOptions,
    queryKey: ['model', name, path, text],
    queryFn: ({ signal }) => loadModel({ name, bytes: new TextEncoder().encode(text).buffer, path, signal }),
  })
  const [isBroken, setBroken] = useState(false)
  if (error !== null || isBroken)
    return <p className={styles.note}>{missingExtensionIn(error) ?? t('viewer.modelBroken')}</p>
  if (model === undefined) return <ViewerLoading />
  return <Model name={name} model={model} isQuick={false} onBroken={() => setBroken(true)} />
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
  const tools = useRef<HTMLFieldSetElement>(null)
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
  useModelKeys(tools, stage)
  return (
    <div className={styles.stage} data-part="model" data-fills-width="">
      <canvas ref={canvas} className={styles.canvas}>
        {t('viewer.model', { name: visibleName(name), count: trianglesOf(model) })}
      </canvas>
      {!isQuick && (
        <fieldset className={styles.tools} ref={tools} aria-label={t('viewer.modelTools')}>
          <IconButton
            icon={ZoomOut}
            label={t('viewer.zoomOut')}
            onClick={() => stage.current?.zoom(1 / zoomStep)}
          />
          <IconButton
            icon={ZoomIn}
            label={t('viewer.zoomIn')}
            onClick={() => stage.current?.zoom(zoomStep)}
          />
          <IconButton
            icon={RotateCw}
            label={t('viewer.turnModel')}
            onClick={() => stage.current?.turn(keyAngle, 0)}
          />
          <IconButton icon={Scan} label={t('viewer.fit')} onClick={() => stage.current?.reset()} />
          <IconButton
            icon={LayoutGrid}
            label={t('viewer.edges')}
            aria-pressed={hasEdges}
            onClick={() => setEdges(!hasEdges)}
          />
        </fieldset>
      )}
    </div>
  )
}

/** Lets keys turn and zoom the model while a button below it has the focus. */
function useModelKeys(tools: RefObject<HTMLElement | null>, stage: RefObject<ModelStage | null>): void {
  useEffect(() => {
    const area = tools.current
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || !runKey(stage.current, event.key)) return
      event.preventDefault()
    }
    area?.addEventListener('keydown', onKey)
    return () => area?.removeEventListener('keydown', onKey)
  }, [tools, stage])
}

/** Runs a key of the toolbar: the arrows turn the model, + and - zoom. Returns false for other keys. */
function runKey(stage: ModelStage | null, key: string): boolean {
  switch (key) {
    case 'ArrowLeft':
      stage?.turn(keyAngle, 0)
      return true
    case 'ArrowRight':
      stage?.turn(-keyAngle, 0)
      return true
    case 'ArrowUp':
      stage?.turn(0, keyAngle)
      return true
    case 'ArrowDown':
      stage?.turn(0, -keyAngle)
      return true
    case '+':
      stage?.zoom(zoomStep)
      return true
    case '-':
      stage?.zoom(1 / zoomStep)
      return true
    default:
      return false
  }
}
