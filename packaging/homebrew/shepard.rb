# SPDX-License-Identifier: MIT
# Homebrew's formula: brew install --HEAD ./shepard.rb in a clone of the repository. A published
# version adds its url and sha256.
class Shepard < Formula
  desc "Surfaces from scattered measurements by inverse distance weighting and kriging"
  license "MIT"
  head "file://#{File.expand_path("../..", __dir__)}", using: :git, branch: "main"

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "cjson"
  depends_on "gcc" # Apple's clang has no OpenMP
  depends_on "gdal"

  fails_with :clang

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja",
           "-DSHEPARD_WITH_CUDA=OFF", "-DSHEPARD_BUILD_TESTS=OFF", "-DSHEPARD_BUILD_BENCH=OFF",
           *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
    pkgshare.install "examples/predict_points.c"
  end

  test do
    (testpath/"points.csv").write("x,y,z\n0,0,1\n1,0,2\n0,1,3\n1,1,4\n")
    system bin/"shepard", "grid", "-q", "-zfield", "z", "-outsize", "4", "4", "-a", "idw:k=4",
           "points.csv", "grid.tif"
    assert_predicate testpath/"grid.tif", :exist?
    system ENV.cc, pkgshare/"predict_points.c", "-I#{include}", "-L#{lib}", "-lshepard", "-o", "example"
    assert_match "9.60 m", shell_output("./example")
  end
end
