/** Width and height in pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** Scales a shape to fit inside a size, with at least one pixel per side. Returns the new size and the scale. */
export function fitInside(shape: Size, bounds: Size): Size & { scale: number } {
  const scale = Math.min(bounds.width / shape.width, bounds.height / shape.height)
  const pixels = (length: number, limit: number): number => Math.min(limit, Math.max(1, Math.round(length * scale)))
  return { width: pixels(shape.width, bounds.width), height: pixels(shape.height, bounds.height), scale }
}
