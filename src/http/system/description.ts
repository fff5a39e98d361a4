import type { Edge } from '../edge.ts'

export function descriptionRoutes(_edge: Edge, _basePath: string): void {}
