//! What all values share: entry points, bounded numbers, angles.
