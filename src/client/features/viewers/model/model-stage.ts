import {
  Box3,
  DirectionalLight,
  Group,
  HemisphereLight,
  type Material,
  Mesh,
  type Object3D,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three'
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js'

/** A model on a canvas. */
export type ModelStage = {
  /** Turns the model by an angle in radians to the left, and then up. */
  readonly turn: (left: number, up: number) => void
  /** Brings the model nearer by a factor above 1, or moves it away by one below 1. */
  readonly zoom: (factor: number) => void
  /** Shows the whole model again, as at the start. */
  readonly reset: () => void
  readonly showEdges: (isShown: boolean) => void
  readonly close: () => void
}

/** The vertical field of view in degrees. */
const viewAngle = 40
const maxPixelRatio = 2

/**
 * Draws a model on a canvas, which the mouse and fingers can turn, move and zoom. Draws only when something has changed.
 * @throws when the browser has no WebGL.
 */
export function createModelStage(canvas: HTMLCanvasElement, model: Object3D): ModelStage {
  const renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true })
  renderer.setPixelRatio(Math.min(devicePixelRatio, maxPixelRatio))
  const camera = new PerspectiveCamera(viewAngle)
  const scene = sceneOf(model, camera)
  const controls = new OrbitControls(camera, canvas)
  let frame = 0
  const draw = (): void => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() => renderer.render(scene, camera))
  }
  controls.addEventListener('change', draw)

  function reset(): void {
    showWhole(model, camera, controls)
    draw()
  }

  function resize(): void {
    const { clientWidth, clientHeight } = canvas
    if (clientWidth === 0 || clientHeight === 0) return
    renderer.setSize(clientWidth, clientHeight, false)
    camera.aspect = clientWidth / clientHeight
    camera.updateProjectionMatrix()
    draw()
  }

  const observer = new ResizeObserver(resize)
  observer.observe(canvas)
  resize()
  reset()
  return {
    turn(left, up) {
      turnAround(camera, controls.target, { left, up })
      controls.update()
      draw()
    },
    zoom(factor) {
      camera.position.sub(controls.target).divideScalar(factor).add(controls.target)
      controls.update()
      draw()
    },
    reset,
    showEdges(isShown) {
      for (const material of materialsOf(model)) if ('wireframe' in material) material.wireframe = isShown
      draw()
    },
    close() {
      cancelAnimationFrame(frame)
      observer.disconnect()
      controls.dispose()
      model.traverse((part) => {
        if (part instanceof Mesh) part.geometry.dispose()
      })
      for (const material of materialsOf(model)) material.dispose()
      renderer.dispose()
    },
  }
}

/** Places the camera so that it sees the whole model from the front, a little from above and from the right. */
function showWhole(model: Object3D, camera: PerspectiveCamera, controls: OrbitControls): void {
  const box = new Box3().setFromObject(model)
  const centre = box.getCenter(new Vector3())
  const radius = Math.max(box.getSize(new Vector3()).length() / 2, 1e-6)
  // On a narrow screen the width is the limit.
  const distance = radius / Math.sin((viewAngle * Math.PI) / 360) / Math.min(1, camera.aspect)
  camera.near = distance / 1000
  camera.far = distance * 100
  camera.position.copy(centre).add(new Vector3(0.7, 0.5, 1).normalize().multiplyScalar(distance))
  camera.updateProjectionMatrix()
  controls.target.copy(centre)
  controls.update()
}

/** Moves the camera around a point, by angles in radians. It stops before it looks along the vertical axis. */
function turnAround(
  camera: PerspectiveCamera,
  centre: Vector3,
  { left, up }: { readonly left: number; readonly up: number },
): void {
  const vertical = new Vector3(0, 1, 0)
  const offset = camera.position.clone().sub(centre).applyAxisAngle(vertical, left)
  const side = vertical.clone().cross(offset).normalize()
  const turned = offset.clone().applyAxisAngle(side, -up)
  const isUpright = Math.abs(turned.clone().normalize().y) < 0.99
  camera.position.copy(centre).add(isUpright ? turned : offset)
}

/**
 * Puts a model into a scene. A strong lamp at the upper left of the camera and a weak one at its right move with the
 * camera, so that the visible sides are never dark and differ in brightness. The light of the sky tells top from bottom.
 */
function sceneOf(model: Object3D, camera: PerspectiveCamera): Scene {
  const scene = new Scene()
  camera.add(lampAt(new Vector3(-1, 1.5, 1.5), 3), lampAt(new Vector3(1.5, -0.25, 0.5), 0.8))
  scene.add(model, camera, new HemisphereLight(0xffffff, 0x606878, 1.2))
  return scene
}

/** Returns a group with a lamp that is at a place relative to the camera and shines towards the camera. */
function lampAt(place: Vector3, intensity: number): Object3D {
  const lamp = new DirectionalLight(0xffffff, intensity)
  lamp.position.copy(place)
  return new Group().add(lamp, lamp.target)
}

function materialsOf(model: Object3D): readonly Material[] {
  const materials: Material[] = []
  model.traverse((part) => {
    if (part instanceof Mesh) materials.push(...[part.material as Material | Material[]].flat())
  })
  return materials
}
