/// An amount of money.
package struct Money: Sendable {}
