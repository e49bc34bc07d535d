//! Colour matrices.

/// Applies rows r, g, b, a by columns r, g, b, a, constant to unpremultiplied colours.
pub fn matrix(pixels: &mut [u8], m: &[f32; 20]) {
    let mut last = ([0u8; 4], convert([0; 4], m));
    for p in pixels.as_chunks_mut::<4>().0 {
        if *p != last.0 {
            last = (*p, convert(*p, m));
        }
        *p = last.1;
    }
}

fn convert(p: [u8; 4], m: &[f32; 20]) -> [u8; 4] {
    let a = f32::from(p[3]);
    let straight = |v: u8| if p[3] == 0 { 0.0 } else { (f32::from(v) / a).min(1.0) };
    let c = [straight(p[0]), straight(p[1]), straight(p[2]), a / 255.0, 1.0];
    let row = |i: usize| (0..5).map(|k| m[i * 5 + k] * c[k]).sum::<f32>().clamp(0.0, 1.0);
    // The browser keeps straight colours in whole bytes between the steps.
    let byte = |v: f32| (v * 255.0 + 0.5).floor();
    let alpha = byte(row(3));
    let over = |v: f32| (byte(v) * alpha / 255.0 + 0.5) as u8;
    [over(row(0)), over(row(1)), over(row(2)), alpha as u8]
}
