import { Type, type TSchema } from 'typebox'

/** A member that may be left out. Null is as if it were: it stands for the zero value, as it always did (contract 1.9). */
export const maybe = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))
