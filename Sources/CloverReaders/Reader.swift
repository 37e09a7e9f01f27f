/// A card reader, by whatever it is reached.
package struct Reader: Sendable {}
