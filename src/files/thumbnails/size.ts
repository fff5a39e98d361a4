/** In pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** The largest size of this shape inside the other, at least one pixel each way, and the scale that leads to it. */
export function fitted(shape: Size, inside: Size): Size & { scale: number } {
  const scale = Math.min(inside.width / shape.width, inside.height / shape.height)
  const pixels = (length: number, most: number): number => Math.min(most, Math.max(1, Math.round(length * scale)))
  return { width: pixels(shape.width, inside.width), height: pixels(shape.height, inside.height), scale }
}
